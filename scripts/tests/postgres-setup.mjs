// Vitest's global set-up of the project `server-postgres`: one throwaway PostgreSQL for all its files.
// The tests find its address in TEST_DATABASE_URL (postgres-environment.mjs). It is a superuser's:
// a test that needs its own database creates one. A second one, in TEST_SECOND_DATABASE_URL, is for the one
// file that tests what two servers of PostgreSQL do.

import { startPostgres } from '../databases/throwaway-postgres.mjs'

/** @param {import('vitest/node').TestProject} project */
export default async function setup(project) {
  const [first, second] = await Promise.all([startPostgres(), startPostgres()])
  project.provide('testDatabaseUrl', first.url)
  project.provide('secondDatabaseUrl', second.url)
  return async () => {
    await Promise.all([first.stop(), second.stop()])
  }
}
