/** Skips a test on Windows, which has no file modes, user ids, named pipes, shell scripts or `O_NOFOLLOW`. */
export const onUnix: typeof test = process.platform === "win32" ? test.skip : test;
