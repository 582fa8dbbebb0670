// The packages that a build may contain, in the JSON of CycloneDX 1.6, read from the lock: what server, gateway and
// dashboard depend on. Optional packages are named where they are installed: binaries for this platform.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readJson } from '../lib/json-file.mjs'
import { inRoot } from '../lib/places.mjs'

/** @typedef {{ name?: string, version?: string, integrity?: string, license?: string, link?: boolean, resolved?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, unknown> }} Entry */
/** @typedef {{ type: string, 'bom-ref': string, group?: string, name: string, version: string | undefined, purl: string, licenses?: { expression: string }[], hashes?: { alg: string, content: string }[] }} Component */

const started = ['apps/server', 'apps/gateway', 'apps/standalone', 'apps/dashboard']

/**
 * The same lock and time give the same bytes.
 *
 * @param {string} version
 * @param {Date} at
 */
export function billOfMaterials(version, at) {
  /** @type {Record<string, Entry>} */
  const packages = readJson(inRoot('package-lock.json')).packages ?? {}
  const uses = reached(packages)
  const folders = [...uses.keys()].filter(isForeign).sort()
  const top = { type: 'application', name: 'gatehouse', version, 'bom-ref': `gatehouse@${version}` }
  const content = {
    metadata: { timestamp: at.toISOString(), component: top },
    components: folders.map((folder) => componentOf(folder, packages[folder] ?? {})),
    dependencies: [
      { ref: top['bom-ref'], dependsOn: refsOf(directlyUsed(uses), packages) },
      ...folders.map((folder) => ({
        ref: refOf(folder, packages[folder] ?? {}),
        dependsOn: refsOf(uses.get(folder) ?? [], packages),
      })),
    ],
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  }
}

/** Folders of what is used, each with the folders of what it uses itself. @param {Record<string, Entry>} packages */
function reached(packages) {
  /** @type {Map<string, string[]>} */
  const uses = new Map()
  const left = started.filter((folder) => folder in packages)
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    if (uses.has(folder)) continue
    const found = usedBy(folder, packages)
    uses.set(folder, found)
    left.push(...found)
  }
  return uses
}

/** @param {string} folder @param {Record<string, Entry>} packages */
function usedBy(folder, packages) {
  const entry = packages[folder] ?? {}
  // A package looks for its optional peers too, and the bundler follows it.
  const peers = Object.keys({ ...entry.peerDependencies, ...entry.peerDependenciesMeta })
  const optional = Object.keys(entry.optionalDependencies ?? {})
  const names = [...Object.keys(entry.dependencies ?? {}), ...peers]
  return [
    ...names.flatMap((name) => lookUp(folder, name, packages)),
    ...optional
      .flatMap((name) => lookUp(folder, name, packages))
      .filter((each) => existsSync(inRoot(each))),
  ]
}

/** Node's look-up: beside the package, then in each folder above. @param {string} from @param {string} name @param {Record<string, Entry>} packages */
function lookUp(from, name, packages) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const folder = `${at}${at ? '/' : ''}node_modules/${name}`
    const entry = packages[folder]
    if (entry) return [entry.link ? (entry.resolved ?? folder) : folder]
    if (at === '') return []
  }
}

/** Not a package of this repository. @param {string} folder */
const isForeign = (folder) => folder.includes('node_modules/')

/** @param {Map<string, string[]>} uses */
const directlyUsed = (uses) =>
  [...uses].flatMap(([folder, used]) => (isForeign(folder) ? [] : used))

/** @param {string[]} folders @param {Record<string, Entry>} packages */
const refsOf = (folders, packages) =>
  [
    ...new Set(folders.filter(isForeign).map((folder) => refOf(folder, packages[folder] ?? {}))),
  ].sort()

/** Two copies of one version in two folders are two components. @param {string} folder @param {Entry} entry */
const refOf = (folder, { version }) => `${folder}@${version}`

/** @param {string} folder @param {Entry} entry @returns {Component} */
function componentOf(folder, entry) {
  const name = entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 13)
  const [group = '', ...rest] = name.split('/')
  return {
    type: 'library',
    'bom-ref': refOf(folder, entry),
    ...(rest.length > 0 ? { group, name: rest.join('/') } : { name: group }),
    version: entry.version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${entry.version}`,
    ...(entry.license ? { licenses: [{ expression: entry.license }] } : {}),
    ...(entry.integrity ? { hashes: [hashOf(entry.integrity)] } : {}),
  }
}

/** @param {string} integrity `sha512-` and base64 */
function hashOf(integrity) {
  const [algorithm = '', digest = ''] = integrity.split(/-(.*)/)
  return {
    alg: algorithm.replace('sha', 'SHA-').toUpperCase(),
    content: Buffer.from(digest, 'base64').toString('hex'),
  }
}

/** A UUID of its own making (RFC 9562 §5.8). @param {string} text */
function uuidOf(text) {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
