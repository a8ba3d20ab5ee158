// The parts of an address that name structures: an agency, an id and a version, each possibly several or any.

import { Refusal } from '../../core/refusal.ts'
import { agency, version } from '../../formats/sdmx/artefacts.ts'

/** Whether a part of an address names an artefact; left out, it names every one. */
export function names(part: string | undefined, name: string): boolean {
  return part === undefined || part === '*' || part === 'all' || part.split(',').includes(name)
}

export function namesUs(part: string | undefined): boolean {
  return names(part, agency)
}

/** Whether a part names the one version of everything, which is also the latest, and the latest stable one. */
export function namesOurVersion(part: string | undefined): boolean {
  return part === undefined || part.split(',').some(each => ourVersion.test(each))
}

const ourVersion = /^(?:\*|~|\+|latest|all|1\+?(?:\.0\+?(?:\.0\+?)?)?)$/

export function nothingFound(): Refusal {
  return new Refusal(
    'not-found',
    `nothing that is served here has this name; everything is of ${agency}, version ${version}`,
  )
}
