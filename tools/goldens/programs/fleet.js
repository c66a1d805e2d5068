const { fromImage, image, scale } = require("./declaring");

// Declares 200 deployments, each with one kind of change: none, the image, the scale, the secret, or image and scale.
const CHANGES = [
  () => ({}),
  (name, round) => image(name, `1.${round}.0`),
  (_name, round) => scale(1 + round),
  (_name, round) => ({ secrets: { MODEL_API_KEY: `golden secret ${round}` } }),
  (name, round) => ({ ...image(name, `1.${round}.0`), ...scale(1 + round) }),
];

module.exports = (round) => {
  for (let index = 0; index < 200; index += 1) {
    const name = `agent-${String(index).padStart(3, "0")}`;
    fromImage(name, { ...CHANGES[index % CHANGES.length](name, round), rollout: { wait: false } });
  }
};
