/** A suite that imports this file first declares its resources in the plugin's form. */
process.env.FORM = "plugin";
