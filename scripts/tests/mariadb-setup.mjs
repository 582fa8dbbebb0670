// Vitest's global set-up of the project `procedures`: one MariaDB for all its files, which each make a
// database and accounts of their own.

import { startMariadb } from '../databases/throwaway-mariadb.mjs'

/** @param {import('vitest/node').TestProject} project */
export default async function setup(project) {
  const { url, stop } = await startMariadb()
  project.provide('testMysqlUrl', url)
  return stop
}
