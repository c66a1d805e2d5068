const { fromImage } = require("./declaring");

module.exports = (round) => {
  fromImage("chat");
  if (round > 0) return;
  fromImage("old");
  fromImage("kept", { onDestroy: "fail" });
};
