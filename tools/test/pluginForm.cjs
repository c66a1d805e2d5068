// The suites of this jest project declare their resources in the plugin's form. See test/support/engine/form.ts.
process.env.FORM = "plugin";
