// Vitest's global set-up of the project `server-postgres`: one throwaway PostgreSQL for all its files.
// The tests find its address in TEST_DATABASE_URL (postgres-environment.mjs). It is a superuser's:
// a test that needs its own database creates one.

import { startPostgres } from '../databases/throwaway-postgres.mjs'

/** @param {import('vitest/node').TestProject} project */
export default async function setup(project) {
  const { url, stop } = await startPostgres()
  project.provide('testDatabaseUrl', url)
  return stop
}
