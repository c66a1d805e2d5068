// The suites of this project declare their resources in the plugin's form. See test/support/engine/form.ts.
process.env.FORM = "plugin";
