/** Imported before a suite: it declares the resources of the provider plugin. */
process.env.FORM = "plugin";
