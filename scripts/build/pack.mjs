// The built folder as one file. Two packs of the same files have the same bytes where tar is GNU's.

import { execFileSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Writes `gatehouse-<version>-<platform>.tar.gz` beside a folder.
 *
 * @param {string} folder
 * @param {string} version
 * @param {number} [seconds] the time that every file in it gets, since 1970; without it each keeps its own
 */
export function pack(folder, version, seconds) {
  const { dir, base } = path.parse(folder)
  const file = path.join(dir, `gatehouse-${version}-${process.platform}-${process.arch}.tar.gz`)
  const fixed = seconds === undefined || !isGnuTar() ? [] : fixedFields(seconds)
  const tar = execFileSync('tar', [...fixed, '-cf', '-', '-C', dir, base], { maxBuffer: 2 ** 30 })
  writeFileSync(file, gzipSync(tar))
  return { file, bytes: statSync(file).size }
}

const isGnuTar = () => execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU')

/** @param {number} seconds */
const fixedFields = (seconds) => [
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  `--mtime=@${seconds}`,
]
