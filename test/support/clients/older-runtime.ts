// Loaded before a program: takes away what came to JavaScript after Node 20, so that a library that promises to work there is
// held to it on a machine that has only a newer one.

const later: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), ['map', 'filter', 'take', 'drop', 'flatMap']],
  [
    Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())),
    ['reduce', 'toArray', 'forEach', 'some', 'every', 'find'],
  ],
  [
    Set.prototype,
    ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ],
  [Map, ['groupBy']],
  [Map.prototype, ['getOrInsert', 'getOrInsertComputed']],
  [Object, ['groupBy']],
  // The `fetch` of newer ones needs `withResolvers` itself.
  [Promise, ['try']],
  [Array, ['fromAsync']],
  [RegExp, ['escape']],
  [Error, ['isError']],
  [Uint8Array, ['fromBase64', 'fromHex']],
  [Uint8Array.prototype, ['toBase64', 'toHex', 'setFromBase64', 'setFromHex']],
]
for (const [owner, names] of later) for (const name of names) Reflect.deleteProperty(owner, name)
