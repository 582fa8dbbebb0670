// What the files in deploy/ say, read for the tests beside this file.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments, parseDocument } from 'yaml'
import { inRoot } from '../../lib/places.mjs'

/** @typedef {any} Parsed what a file holds: the tests check of which shape it is */

/** @param {string} name below deploy/ */
export const deployFile = (name) => readFileSync(inRoot('deploy', name), 'utf8')

export const yamlFiles = globSync('**/*.yaml', { cwd: inRoot('deploy') })
  .map((file) => file.replaceAll(path.sep, '/'))
  .sort()

/** What is wrong with the YAML of a file; keys that are given twice count. @param {string} name */
export const yamlProblems = (name) =>
  parseAllDocuments(deployFile(name), { merge: true }).flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ message }) => message),
  )

/** The compose file with its anchors and merge keys resolved. @returns {any} */
export const compose = () => parseDocument(deployFile('compose.yaml'), { merge: true }).toJS()

/** All objects of the Kubernetes manifests. @returns {any[]} */
export const manifests = () =>
  yamlFiles
    .filter((file) => file.startsWith('kubernetes/') && !file.endsWith('kustomization.yaml'))
    .flatMap((file) => parseAllDocuments(deployFile(file)).map((each) => each.toJS()))

/** @param {string} kind @param {string} [name] @returns {any[]} */
export const objects = (kind, name) =>
  manifests().filter(
    (each) => each.kind === kind && (name === undefined || each.metadata.name === name),
  )

/** `NAME=value` lines, as systemd and Docker read them. @param {string} text @returns {Record<string, string>} */
export const assignments = (text) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** The values of a directive of the unit, in the order of the file. @param {string} name */
export const unitValues = (name) =>
  deployFile('gatehouse.service')
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1))

/** The instructions of the Dockerfile, with continued lines joined. */
export const dockerInstructions = () =>
  deployFile('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }))
