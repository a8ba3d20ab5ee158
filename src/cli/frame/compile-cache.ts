// Compiled code is cached between runs, because most commands take less time than loading them.
import { enableCompileCache } from 'node:module'

export function cacheCompiledCode(environment: NodeJS.ProcessEnv): void {
  const { directory } = enableCompileCache()
  // Threads do not inherit the setting; they read it from the environment.
  if (directory !== undefined) environment.NODE_COMPILE_CACHE ??= directory
}
