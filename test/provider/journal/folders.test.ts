import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Folders } from "../../../provider/journal/folders";
import { freshFolder } from "../../support/journalFolder";

function folderWith(...names: string[]): string {
  const folder = path.join(freshFolder(), "project", "stack");
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(path.join(folder, name), "{}");
  return folder;
}

test("a folder counts as empty only after it was read", () => {
  const folder = folderWith();
  const folders = new Folders(undefined);
  expect(folders.isKnownEmpty(folder)).toBe(false);
  expect(folders.has(path.join(folder, "a.json"))).toBe(false);
  expect(folders.isKnownEmpty(folder)).toBe(true);
});

test("a folder with a file counts as empty only after the file is removed", () => {
  const folder = folderWith("a.json");
  const folders = new Folders(undefined);
  const file = path.join(folder, "a.json");
  expect(folders.has(file)).toBe(true);
  expect(folders.isKnownEmpty(folder)).toBe(false);
  folders.delete(file);
  expect(folders.has(file)).toBe(false);
  expect(folders.isKnownEmpty(folder)).toBe(true);
  folders.add(file);
  expect(folders.has(file)).toBe(true);
});

test("all look-ups in a folder share one read of the folder", () => {
  const folder = folderWith();
  const folders = new Folders(undefined);
  const file = path.join(folder, "a.json");
  expect(folders.has(file)).toBe(false);
  writeFileSync(file, "{}");
  expect(folders.has(file)).toBe(false);
});

test("the first read of a folder shows what the disk has, whatever this run noted before", () => {
  const folder = folderWith("a.json");
  const folders = new Folders(undefined);
  folders.delete(path.join(folder, "a.json"));
  folders.add(path.join(folder, "b.json"));
  expect(folders.has(path.join(folder, "a.json"))).toBe(true);
  expect(folders.has(path.join(folder, "b.json"))).toBe(false);
});

test("a missing folder is empty", () => {
  const folders = new Folders(undefined);
  const folder = path.join(freshFolder(), "nowhere");
  expect(folders.has(path.join(folder, "a.json"))).toBe(false);
  expect(folders.isKnownEmpty(folder)).toBe(true);
});

test("each stack has its own folder, even if another stack's name begins with its name", () => {
  const folders = new Folders("/journal");
  const of = (stack: string, project: string) => folders.of(`urn:pulumi:${stack}::${project}::type::name`);
  expect(of("dev", "shop")).toBe(path.join("/journal", "shop", "dev"));
  expect(of("dev", "shop2")).toBe(path.join("/journal", "shop2", "dev"));
  expect(of("dev2", "shop")).toBe(path.join("/journal", "shop", "dev2"));
  expect(folders.of("")).toBeUndefined();
  expect(new Folders(undefined).of("urn:pulumi:dev::shop::type::name")).toBeUndefined();
});
