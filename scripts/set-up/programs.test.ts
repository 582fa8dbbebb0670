import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findProgram, type Program } from './programs.mjs'

const database: Program = {
  name: 'Database',
  variables: ['DATABASE_BIN'],
  exportedAs: 'TEST_DATABASE_BIN',
  commands: [['make-database', 'run-database']],
  gives: 'folder',
  aptPackages: [],
  suites: [],
}
const browser: Program = { ...database, commands: [['best'], ['second']], gives: 'file' }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-programs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function command(name: string): void {
  writeFileSync(path.join(folder, name), '')
  chmodSync(path.join(folder, name), 0o755)
}

test('a program of several commands is found only where all of them are', () => {
  command('make-database')
  // As a package leaves it that was removed by half.
  symlinkSync('/nonexistent/run-database', path.join(folder, 'run-database'))
  expect(findProgram(database, { PATH: folder })).toBeUndefined()
  rmSync(path.join(folder, 'run-database'))
  command('run-database')
  expect(findProgram(database, { PATH: `/nonexistent${path.delimiter}${folder}` })).toBe(folder)
})

test('the next best command is taken where the best is missing', () => {
  command('second')
  expect(findProgram(browser, { PATH: folder })).toBe(path.join(folder, 'second'))
})

test('folders beside the PATH are searched', () => {
  command('second')
  expect(findProgram({ ...browser, folders: () => [folder] }, { PATH: '' })).toBe(
    path.join(folder, 'second'),
  )
})

test('a program that is named is used, or none', () => {
  command('best')
  command('other')
  const other = path.join(folder, 'other')
  expect(findProgram(browser, { PATH: folder, DATABASE_BIN: other })).toBe(other)
  expect(findProgram(browser, { PATH: folder, DATABASE_BIN: '/nonexistent' })).toBeUndefined()
})
