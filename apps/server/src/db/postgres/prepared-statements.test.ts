import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { PreparedStatements, plannedForItsValues } from './prepared-statements.ts'
import { createTestDatabase } from '../../../test/test-database.ts'

it('a statement is kept from its second use on, one that is planned for its values never', async () => {
  const database = await createTestDatabase()
  const planned = sql`${plannedForItsValues} select ${1}`.compile(database.db).sql
  await database.drop()
  const statements = new PreparedStatements()
  const namesOf = (text: string) => [1, 2, 3].map(() => statements.use(text).statement.name)
  expect(namesOf('select 1 as kept')).toEqual(['', 'gatehouse_1', 'gatehouse_1'])
  expect(namesOf(planned)).toEqual(['', '', ''])
})
