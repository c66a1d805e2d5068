/** A test of modes, user ids, named pipes, shell scripts or links that are not followed: Windows has none of these. */
export const onUnix: typeof test = process.platform === "win32" ? test.skip : test;
