import { useQuery } from '@tanstack/react-query'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { problemTitles } from './archive-messages.ts'
import { archiveQueries } from './archive-queries.ts'

/** A round of the archive that has stopped, with the screen that says why. */
export function useArchiveTroubles() {
  const can = useCan()
  const { data } = useQuery({ ...archiveQueries.onHome(), enabled: can('archive.view') })
  const problem = data?.round.problem ?? null
  return [
    {
      key: 'archive',
      label: 'Archive stopped',
      count: problem === null ? 0 : 1,
      hint: problem === null ? undefined : problemTitles[problem.code],
      color: 'red',
      to: paths.archive,
    },
  ]
}
