import type { Db } from '../../../../db/connect.ts'

/** The first of the runs that were sent in place of one another, of which this is the last. */
export const findOrigin = (db: Db, { id }: { id: number }) =>
  db
    .withRecursive('chain', (query) =>
      query
        .selectFrom('run')
        .select(['run.id', 'run.retry_of'])
        .where('run.id', '=', id)
        .unionAll(
          query
            .selectFrom('run')
            .innerJoin('chain', 'chain.retry_of', 'run.id')
            .select(['run.id', 'run.retry_of']),
        ),
    )
    .selectFrom('chain')
    .innerJoin('run', 'run.id', 'chain.id')
    .selectAll('run')
    .where('run.retry_of', 'is', null)
    .executeTakeFirst()
