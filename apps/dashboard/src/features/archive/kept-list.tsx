import { Title } from '@mantine/core'
import type { ArchiveSettings } from '@gatehouse/contract'
import { Fragment } from 'react'
import { serverWords } from '../../lib/calls/server-words.tsx'
import classes from './archive.module.css'

interface KeptListProps {
  kept: readonly { what: string; how_long: string }[]
  settings: ArchiveSettings
}

const daysOf = (days: number | null) =>
  days === null ? 'for ever' : `${days.toLocaleString('en')} days, then in the archive`

/** Everything that is kept, and how long. */
export function KeptList({ kept, settings }: KeptListProps) {
  const bodies = [
    { what: 'Bodies and answers of tests', how_long: daysOf(settings.test_days) },
    { what: 'Bodies and answers of reads', how_long: daysOf(settings.read_days) },
    { what: 'Bodies and answers of submits', how_long: daysOf(settings.submit_days) },
  ]
  return (
    <>
      <Title order={3} mb="sm">
        What is kept how long
      </Title>
      <dl className={classes['kept']}>
        {[...bodies, ...kept].map(({ what, how_long }) => (
          <Fragment key={what}>
            <dt>{serverWords(what)}</dt>
            <dd>{serverWords(how_long)}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  )
}
