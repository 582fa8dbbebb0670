// Every place that names the version of the product.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { releaseVersion } from '../build/version.mjs'
import { readJson } from '../lib/json-file.mjs'
import { inRoot, root } from '../lib/places.mjs'

const images = 'deploy/kubernetes/kustomization.yaml'

/**
 * Returns the files that it has changed, none where they name that version already.
 *
 * @param {string} version
 */
export function changeVersion(version) {
  const old = releaseVersion()
  if (old === version) return []
  const manifests = globSync(
    ['package.json', '{apps,packages}/*/package.json', 'e2e/package.json'],
    {
      cwd: root,
    },
  )
  for (const file of manifests) rewriteJson(file, (manifest) => inManifest(manifest, version))
  rewriteJson('package-lock.json', (lock) => inLock(lock, version))
  rewrite(images, (text) => text.replaceAll(`newTag: ${old}`, `newTag: ${version}`))
  return [...manifests, 'package-lock.json', images]
}

/** Gives the section of a version today's date. Returns the file. @param {string} version */
export function dateSection(version) {
  const today = new Date().toISOString().slice(0, 10)
  rewrite('CHANGELOG.md', (text) =>
    text.replace(`## ${version} (unreleased)`, `## ${version} (${today})`),
  )
  return 'CHANGELOG.md'
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** Its own version, and those of the packages of this repository that it uses. @param {any} manifest @param {string} version */
function inManifest(manifest, version) {
  manifest.version = version
  for (const kind of kinds)
    for (const name of Object.keys(manifest[kind] ?? {}))
      if (name.startsWith('@gatehouse/')) manifest[kind][name] = version
}

/** @param {any} lock @param {string} version */
function inLock(lock, version) {
  lock.version = version
  for (const [folder, entry] of Object.entries(lock.packages))
    if (!folder.includes('node_modules/')) inManifest(entry, version)
}

/** As npm writes it. @param {string} file @param {(content: any) => void} change */
function rewriteJson(file, change) {
  const content = readJson(inRoot(file))
  change(content)
  writeFileSync(inRoot(file), `${JSON.stringify(content, null, 2)}\n`)
}

/** @param {string} file @param {(text: string) => string} change */
const rewrite = (file, change) =>
  writeFileSync(inRoot(file), change(readFileSync(inRoot(file), 'utf8')))
