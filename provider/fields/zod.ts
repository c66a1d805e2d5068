/** What checking uses of zod. The build puts zod's code for these in this file's place: all of zod is 95 files. */
export {
  array,
  boolean,
  gte,
  guid,
  int,
  json,
  literal,
  number,
  optional,
  record,
  regex,
  strictObject,
  string,
  union,
  type ZodMiniType,
} from "zod/mini";
