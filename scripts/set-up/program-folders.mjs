// Where systems keep programs that are not on the PATH.

import { readdirSync } from 'node:fs'
import path from 'node:path'

export function browserFolders() {
  if (process.platform === 'darwin') {
    return ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS`,
    )
  }
  if (process.platform === 'win32') {
    return [
      process.env['PROGRAMFILES'],
      process.env['PROGRAMFILES(X86)'],
      process.env['LOCALAPPDATA'],
    ].flatMap((base) =>
      base
        ? [
            path.join(base, 'Google/Chrome/Application'),
            path.join(base, 'Microsoft/Edge/Application'),
          ]
        : [],
    )
  }
  return ['/usr/lib/chromium', '/opt/google/chrome', '/opt/microsoft/msedge']
}

/** Debian keeps server programs off the PATH, one folder for each version: the newest first. */
export function postgresFolders() {
  return [
    ...versionsBelow('/usr/lib/postgresql', 'bin'),
    ...versionsBelow('/opt/homebrew/opt', 'bin', 'postgresql@'),
    ...versionsBelow('/usr/local/opt', 'bin', 'postgresql@'),
    ...versionsBelow('C:/Program Files/PostgreSQL', 'bin'),
  ]
}

/** The PATH of ordinary accounts leaves out folders for servers. */
export function mariadbFolders() {
  return [
    '/usr/sbin',
    '/usr/libexec',
    '/usr/local/sbin',
    ...versionsBelow('/opt/homebrew/opt', 'bin', 'mariadb'),
    ...versionsBelow('/usr/local/opt', 'bin', 'mariadb'),
    ...versionsBelow('C:/Program Files', 'bin', 'MariaDB '),
  ]
}

/**
 * @param {string} parent
 * @param {string} folder
 * @param {string} [prefix]
 */
function versionsBelow(parent, folder, prefix = '') {
  try {
    return readdirSync(parent)
      .filter((name) => name.startsWith(prefix))
      .sort(
        (a, b) =>
          Number.parseInt(b.slice(prefix.length), 10) - Number.parseInt(a.slice(prefix.length), 10),
      )
      .map((name) => path.join(parent, name, folder))
  } catch {
    return []
  }
}
