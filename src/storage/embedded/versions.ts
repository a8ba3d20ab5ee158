// Versions of the embedded PostgreSQL and of its OpenSSL and ICU, read from its program and its libraries.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPackagedPrograms } from './binaries.ts'

export interface EmbeddedVersions {
  readonly postgresql: string
  /** Version of OpenSSL; `null`: not found among the libraries of this system. */
  readonly openssl: string | null
  readonly icu: string | null
}

/** Reads the versions; `null` where no embedded database is installed. */
export async function readEmbeddedVersions(): Promise<EmbeddedVersions | null> {
  const found = findPackagedPrograms()
  if (found === null) return null
  const { stdout } = await promisify(execFile)(found.postgres, ['--version'])
  const folders = [join(found.root, 'lib'), join(found.root, 'bin')]
  const libraries = (await Promise.all(folders.map(listFiles))).flat()
  const named = (pattern: RegExp) =>
    libraries.map(({ name }) => pattern.exec(name)?.[1]).find(each => each !== undefined)
  const crypto = libraries.find(({ name }) => /^libcrypto[.-]/.test(name))
  return {
    postgresql: /\d+(?:\.\d+)+/.exec(stdout)![0],
    openssl: crypto === undefined ? null : await readOpenssl(crypto.path),
    icu: named(/^libicuuc\.(?:so\.)?(\d+\.\d+)/) ?? null,
  }
}

async function listFiles(folder: string) {
  const names = await readdir(folder).catch(() => [])
  return names.map(name => ({ name, path: join(folder, name) }))
}

/** The library has its version as a text: `OpenSSL 1.1.1  11 Sep 2018`. */
async function readOpenssl(path: string): Promise<string | null> {
  const text = (await readFile(path)).toString('latin1')
  return /OpenSSL (\d+\.\d+\.\d+[a-z]*) +\d+ [A-Z][a-z]{2} \d{4}/.exec(text)?.[1] ?? null
}
