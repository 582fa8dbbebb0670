// Runs in each worker of the project `server-postgres`, before its test file: an environment variable
// set in the main process would reach the SQLite project's workers too.

import { inject } from 'vitest'

process.env['TEST_DATABASE_URL'] = inject('testDatabaseUrl')
process.env['TEST_SECOND_DATABASE_URL'] = inject('secondDatabaseUrl')
