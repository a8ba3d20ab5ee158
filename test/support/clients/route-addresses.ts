// The addresses of a route in a workspace: what its path names, in every choice that is given for it.

/** By the name in the path: `agreementId` of `/pams/{pamId}/values`, `slug` of `/agreements/:slug`. */
export type Choices = Readonly<Record<string, readonly string[]>>

/** `/pams/{pamId}` and `/agreements/:slug` alike. Without a choice for a name there is no address. */
export function addressesOf(path: string, choices: Choices): readonly string[] {
  const name = /\{(\w+)\}|:(\w+)/.exec(path)
  if (name === null) return [path]
  const values = choices[name[1] ?? name[2]!] ?? []
  return values.flatMap(value => addressesOf(path.replace(name[0], encodeURIComponent(value)), choices))
}
