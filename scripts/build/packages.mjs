// The packages that the built folder needs as they are: copied from node_modules, with all that they
// depend on, without what Node never reads.

import { cpSync, existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readJson } from '../lib/json-file.mjs'
import { inRoot } from '../lib/places.mjs'
import { StepFailed } from '../lib/steps.mjs'

/** Types, maps, the sources that code was made from, texts for readers, hidden files. */
const neverRead = /\.(?:[cm]?tsx?|map|md|markdown|flow|coffee|tsbuildinfo)$|[\\/]\.[^\\/]+$/i
/** Below other folders such names may hold code: yaml has one that is called `doc`. */
const neverReadAtTop = /^(?:tests?|__tests__|docs|examples?|benchmarks?)$/i
const licence = /^(?:licen[cs]e|copying|notice)(?:[.-][^.]*)?(?:\.(?:md|txt|markdown))?$/i

/**
 * Copies packages and what they depend on into `node_modules` of a folder. Optional ones are taken where
 * they are installed: binaries for this platform. Returns the folders of what was copied.
 *
 * @param {string[]} names
 * @param {string} folder
 */
export function copyPackages(names, folder) {
  /** @type {Set<string>} relative to the repository */
  const found = new Set()
  for (const name of names) collect(name, '', false, found)
  for (const each of found) {
    cpSync(inRoot(each), path.join(folder, each), { recursive: true, filter: neededOf(each) })
  }
  return [...found].sort().map((each) => inRoot(each))
}

/**
 * @param {string} name
 * @param {string} from the package that needs it, '' for us
 * @param {boolean} isOptional
 * @param {Set<string>} found
 */
function collect(name, from, isOptional, found) {
  const at = lookUp(name, from)
  if (at === undefined) {
    if (isOptional) return
    throw new StepFailed(`${from || 'The bundle'} needs ${name}, which is not installed.`)
  }
  if (found.has(at)) return
  found.add(at)
  const { dependencies = {}, optionalDependencies = {} } = readJson(inRoot(at, 'package.json'))
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies }))
    collect(each, at, each in optionalDependencies, found)
}

/** Node's look-up: beside the package, then in each folder above. @param {string} name @param {string} from */
function lookUp(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at}${at ? '/' : ''}node_modules/${name}`
    if (existsSync(inRoot(place, 'package.json')))
      return path.relative(inRoot(), realpathSync(inRoot(place))).replaceAll('\\', '/')
    if (at === '') return undefined
  }
}

/**
 * Which files of a package are copied. Large packages of Azure have a build for each kind of module and each
 * platform, of which `require` reads one.
 *
 * @param {string} packageFolder
 * @returns {(file: string) => boolean}
 */
function neededOf(packageFolder) {
  const { name = '' } = readJson(inRoot(packageFolder, 'package.json'))
  const isAzure = name.startsWith('@azure/') || name.startsWith('@typespec/')
  return (file) => {
    const inside = path.relative(inRoot(packageFolder), file).replaceAll('\\', '/')
    if (licence.test(path.basename(file))) return true
    if (path.basename(file) === 'node_modules' || neverRead.test(file)) return false
    return !neverReadAtTop.test(inside) && !(isAzure && otherBuilds.test(inside))
  }
}

const otherBuilds = /^(?:dist\/(?:browser|react-native|esm)|dist-esm|dist-browser|src)(?:\/|$)/
