import { keyValueFor } from "../../../sdk/revisions/wayBack";

test.each<[string, string, unknown, unknown, string | undefined]>([
  ["the whole argument", "a:1", "a:1", "b:2", "b:2"],
  ["the tag of an image", "1.1", "registry.example/chat:1.1", "registry.example/chat:1.0", "1.0"],
  ["the last part that has its value", "1", "registry1/chat:1", "registry1/chat:7", "7"],
  ["a part in the middle", "chat", "registry.example/chat:1", "registry.example/search:1", "search"],
  ["no part of it", "2.0", "registry.example/chat:1.1", "registry.example/chat:1.0", undefined],
  [
    "a part around which more changes",
    "1.1",
    "registry.example/chat:1.1",
    "other.example/chat:1.0",
    undefined,
  ],
  ["a part that would be empty", "-slim", "chat:1-slim", "chat:1", undefined],
  ["a part of overlapping ends", "aba", "xabax", "x", undefined],
  ["empty", "", "chat:1", "chat:2", undefined],
  ["for an argument that is not set now", "1", undefined, "1", undefined],
  ["for an argument that is to be removed", "main", "main", undefined, undefined],
])(
  "keyValueFor gives a key's new value, if there is one, for a key that is %s",
  (_title, current, before, after, value) => {
    expect(keyValueFor(current, before, after)).toBe(value);
  },
);
