// What the second verifier has written out by itself is held to published vectors: Ed25519 (RFC 8032), ECDSA with P-256 (RFC 6979),
// RSA (made here by Node), trees (RFC 6962), and to syntax that Python 3.9 reads.
import { execFileSync } from 'node:child_process'
import { constants, generateKeyPairSync, sign } from 'node:crypto'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { hasPython, secondVerifier } from '../support/files/second-verifier.ts'

function python(code: string, input: unknown = null): unknown {
  const words = ['-B', '-c', `import json, sys\nsys.path.insert(0, sys.argv[1])\nfrom assize_verify import *\n${code}`]
  return JSON.parse(
    execFileSync('python3', [...words, dirname(secondVerifier)], { input: JSON.stringify(input) }).toString(),
  )
}

test.skipIf(!hasPython)('signatures that are published hold, and none with another message, key or value', () => {
  const vectors = {
    // RFC 8032, section 7.1, tests 1 to 3.
    ed25519: [
      [
        'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        '',
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ],
      [
        '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        '72',
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      ],
      [
        'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
        'af82',
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
      ],
    ],
    // RFC 6979, appendix A.2.5, with SHA-256.
    p256: {
      x: '60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6',
      y: '7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299',
      signatures: [
        [
          'sample',
          'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716',
          'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8',
        ],
        [
          'test',
          'F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367',
          '019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083',
        ],
      ],
    },
  }
  const code = `
given = json.load(sys.stdin)
good, bad = [], []
for key, message, signature in given["ed25519"]:
    key, message, signature = map(bytes.fromhex, (key, message, signature))
    good.append(Ed25519.verify(key, message, signature))
    bad.append(Ed25519.verify(key, message + b"x", signature))
    bad.append(Ed25519.verify(key, message, signature[:40] + bytes([signature[40] ^ 1]) + signature[41:]))
    bad.append(Ed25519.verify(bytes([key[0] ^ 1]) + key[1:], message, signature))
point = tuple(int(given["p256"][name], 16) for name in "xy")
for message, r, s in given["p256"]["signatures"]:
    r, s = int(r, 16), int(s, 16)
    good.append(P256.verify(point, message.encode(), r, s))
    bad.append(P256.verify(point, message.encode() + b"x", r, s))
    bad.append(P256.verify(point, message.encode(), r ^ 1, s))
    bad.append(P256.verify(point, message.encode(), 0, s))
print(json.dumps([good, bad]))`
  const [good, bad] = python(code, vectors) as [boolean[], boolean[]]
  expect(good).toEqual(Array(5).fill(true))
  expect(bad).toEqual(Array(15).fill(false))
})

test.skipIf(!hasPython)('RSA by both ways of padding, keys and signatures as they are written elsewhere', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const message = Buffer.from('what was signed')
  const padding = constants.RSA_PKCS1_PSS_PADDING
  const input = {
    key: publicKey.export({ format: 'der', type: 'spki' }).toString('hex'),
    pkcs1: sign('sha256', message, privateKey).toString('hex'),
    pss: sign('sha256', message, { key: privateKey, padding, saltLength: 32 }).toString('hex'),
    short: sign('sha256', message, { key: privateKey, padding, saltLength: 20 }).toString('hex'),
  }
  const code = `
given = {name: bytes.fromhex(value) for name, value in json.load(sys.stdin).items()}
kind, (modulus, exponent) = public_key_of(given["key"])
ask = lambda check, name, message=b"what was signed": check(modulus, exponent, message, given[name])
print(json.dumps([kind, ask(rsa_pkcs1_verify, "pkcs1"), ask(rsa_pss_verify, "pss"), ask(rsa_pkcs1_verify, "pss"),
  ask(rsa_pss_verify, "pkcs1"), ask(rsa_pss_verify, "short"), ask(rsa_pkcs1_verify, "pkcs1", b"x"),
  ask(rsa_pss_verify, "pss", b"x")]))`
  expect(python(code, input)).toEqual(['RSA', true, true, false, false, false, false, false])
})

test.skipIf(!hasPython)('proofs of trees lead to the roots that RFC 6962 gives, and to no other', () => {
  // Leaves and roots of the test tree that implementations of RFC 6962 share.
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  const code = `
given = json.load(sys.stdin)
leaves = [leaf_hash(bytes.fromhex(each)) for each in given["leaves"]]
def split(count): return 1 << (count - 1).bit_length() - 1
def root(of): return of[0] if len(of) == 1 else node_hash(root(of[:split(len(of))]), root(of[split(len(of)):]))
def path(at, of):
    if len(of) == 1: return []
    k = split(len(of))
    return path(at, of[:k]) + [root(of[k:])] if at < k else path(at - k, of[k:]) + [root(of[:k])]
def grown(m, of, whole=True):
    if m == len(of): return [] if whole else [root(of)]
    k = split(len(of))
    return grown(m, of[:k], whole) + [root(of[k:])] if m <= k else grown(m - k, of[k:], False) + [root(of[:k])]
good, bad = [], []
for size in range(1, 9):
    tree = root(leaves[:size])
    good.append(tree.hex() == given["roots"][size - 1])
    for at in range(size):
        proof = path(at, leaves[:size])
        good.append(root_by_inclusion(at, size, leaves[at], proof) == tree)
        bad.append(root_by_inclusion(at, size, leaves[at], proof + [tree]) == tree)
        bad.append(root_by_inclusion(at, size, leaf_hash(b"other"), proof) == tree)
    for old in range(1, size):
        proof = grown(old, leaves[:size])
        good.append(is_grown(old, root(leaves[:old]), size, tree, proof))
        bad.append(is_grown(old, leaf_hash(b"other"), size, tree, proof))
        bad.append(is_grown(old, root(leaves[:old]), size, leaf_hash(b"other"), proof))
print(json.dumps([all(good), any(bad), len(good), len(bad)]))`
  expect(python(code, { leaves, roots })).toEqual([true, false, 72, 128])
})

test.skipIf(!hasPython)('it is one file that Python 3.9 reads, with nothing but the standard library', () => {
  const code = `
import ast
tree = ast.parse(open(sys.argv[1] + "/assize_verify.py", encoding="utf-8").read(), feature_version=(3, 9))
names = sorted({alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
  | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)})
print(json.dumps([name for name in names if name not in getattr(sys, "stdlib_module_names", names)]))`
  expect(python(code)).toEqual([])
})
