const { fromRepository } = require("./declaring");

// Names that are dangerous in prototypes, markup, terminals or links. Each name must be treated as data.
const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "<script>alert(1)</script>",
  "a|b",
  "`code`",
  "[link](javascript:alert(1))",
  "red\u001b[31m",
  "\u202eevil",
  "two\nlines",
  "a::b",
  "**bold** <!-- -->",
];

module.exports = (round) => {
  for (const [index, name] of NAMES.entries()) {
    // Pulumi's SDK itself fails on members with these names.
    const secret = ["__proto__", "toString"].includes(name) ? "hasOwnProperty" : name;
    const secrets = Object.fromEntries([[secret, `golden secret ${round}`]]);
    const sourceConfig = { repoUrl: "https://repohost.example/acme/hostile" };
    fromRepository(name, `1.${round}.0-${name}`, { name: `agents-${index}`, sourceConfig, secrets });
  }
};
