// The notes of a release: its part of the changelog.

/** Without the heading of the version; the words after its number say whether it is out. */
export function notesOf(changelog: string, version: string): string {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b.*$`, 'm').exec(changelog)
  if (heading === null) throw new Error(`CHANGELOG.md has no part for ${version}`)
  const rest = changelog.slice(heading.index + heading[0].length)
  const end = rest.search(/^## /m)
  return `# Assize ${version}\n\n${(end === -1 ? rest : rest.slice(0, end)).trim()}\n`
}
