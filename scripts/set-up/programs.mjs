// The foreign programs that tests need, and where they are found. A new program is a new row.

import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { browserFolders, mariadbFolders, postgresFolders } from './program-folders.mjs'

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string[]} variables with which a person chooses: a file or a folder
 * @property {string} exportedAs the variable that passes what was found to the tests
 * @property {string[][]} commands sets of commands, best first; all of a set must be in one folder
 * @property {'file' | 'folder'} gives what is passed on: the first command of the set, or its folder
 * @property {() => string[]} [folders] places beside the PATH
 * @property {string[]} aptPackages
 * @property {{ command: string, aptPackage: string }} [best] the first command, where it has a package of its own
 * @property {string[]} suites the test projects that do not run without it
 */

/** @type {Program[]} */
export const programs = [
  {
    name: 'Chromium',
    variables: ['CHROMIUM_PATH', 'CHROME_PATH'],
    exportedAs: 'GATEHOUSE_TEST_CHROMIUM',
    // The same engine without windows: a third less CPU time for each page.
    best: { command: 'chromium-headless-shell', aptPackage: 'chromium-headless-shell' },
    commands: [
      ['chromium-headless-shell'],
      ['chromium'],
      ['chromium-browser'],
      ['google-chrome'],
      ['google-chrome-stable'],
      ['chrome'],
      ['microsoft-edge'],
      ['msedge'],
      ['Chromium'],
      ['Google Chrome'],
      ['Microsoft Edge'],
    ],
    gives: 'file',
    folders: browserFolders,
    aptPackages: ['chromium'],
    suites: ['e2e'],
  },
  {
    name: 'PostgreSQL',
    variables: ['POSTGRES_BIN'],
    exportedAs: 'GATEHOUSE_TEST_POSTGRES_BIN',
    commands: [['initdb', 'postgres']],
    gives: 'folder',
    folders: postgresFolders,
    aptPackages: ['postgresql'],
    suites: ['server-postgres'],
  },
  {
    name: 'MariaDB',
    variables: ['MARIADBD_PATH'],
    exportedAs: 'GATEHOUSE_TEST_MARIADBD',
    commands: [['mariadbd']],
    gives: 'file',
    folders: mariadbFolders,
    aptPackages: ['mariadb-server'],
    suites: ['procedures'],
  },
  {
    name: 'zbar',
    variables: ['ZBARIMG_PATH'],
    exportedAs: 'GATEHOUSE_TEST_ZBARIMG',
    commands: [['zbarimg']],
    gives: 'file',
    aptPackages: ['zbar-tools'],
    suites: ['zbar'],
  },
  {
    name: 'FreeTDS',
    variables: ['TSQL_PATH'],
    exportedAs: 'GATEHOUSE_TEST_TSQL',
    commands: [['tsql']],
    gives: 'file',
    aptPackages: ['freetds-bin'],
    suites: ['tds'],
  },
  {
    name: 'curl with OpenSSL',
    variables: ['CURL_BIN'],
    exportedAs: 'GATEHOUSE_TEST_CURL_BIN',
    commands: [['curl', 'openssl']],
    gives: 'folder',
    aptPackages: ['curl', 'openssl'],
    suites: ['curl'],
  },
  {
    name: 'Redis',
    variables: ['REDIS_SERVER_PATH'],
    exportedAs: 'GATEHOUSE_TEST_REDIS_SERVER',
    commands: [['redis-server'], ['valkey-server']],
    gives: 'file',
    aptPackages: ['redis-server'],
    suites: ['redis'],
  },
]

/**
 * The file or folder of a program, or undefined. A variable that is set decides alone: a person who
 * names a program that is missing gets an error, not another program.
 *
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findProgram(program, env = process.env) {
  for (const variable of [program.exportedAs, ...program.variables]) {
    const named = env[variable]
    if (named) return isUsable(program, named) ? named : undefined
  }
  const folders = [
    ...(env['PATH'] ?? '').split(path.delimiter).filter(Boolean),
    ...(program.folders?.() ?? []),
  ]
  for (const set of program.commands) {
    const folder = folders.find((candidate) =>
      set.every((command) => isExecutable(path.join(candidate, executable(command)))),
    )
    if (folder)
      return program.gives === 'folder' ? folder : path.join(folder, executable(set[0] ?? ''))
  }
  return undefined
}

/**
 * What the tests read from their environment: one variable for each program that was found.
 *
 * @returns {Record<string, string>}
 */
export function foundPrograms() {
  return Object.fromEntries(
    programs.flatMap((program) => {
      const found = findProgram(program)
      return found ? [[program.exportedAs, found]] : []
    }),
  )
}

/** The test projects that can't run here, since a program is missing. */
export function suitesWithoutProgram() {
  return programs.flatMap((program) => (findProgram(program) ? [] : program.suites))
}

/** @param {Program} program @param {string} named */
function isUsable(program, named) {
  if (program.gives === 'file') return isExecutable(named)
  return program.commands.some((set) =>
    set.every((command) => isExecutable(path.join(named, executable(command)))),
  )
}

/** @param {string} command */
function executable(command) {
  return process.platform === 'win32' ? `${command}.exe` : command
}

/** Follows links: a distribution may leave one that points nowhere. @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
