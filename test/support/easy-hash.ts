// A stored password that is cheap to make and to compare, for tests that are not about passwords.
import { hashUnder } from '../../src/storage/people/password.ts'

/** Of no password: others are hashed in the same way as this one. */
const easyHash = '$argon2id$v=19$m=64,t=1,p=1$c2FsdCBvZiB0aGUgdGVzdHM$AA'

/** Everything before what comes out. */
export const easySalt = easyHash.slice(0, easyHash.lastIndexOf('$') + 1)

export async function easyHashOf(password: string): Promise<string> {
  return (await hashUnder([easySalt], password))[0]!
}
