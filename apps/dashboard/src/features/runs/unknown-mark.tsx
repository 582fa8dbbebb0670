import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { runQueries } from '../../entities/run/run-queries.ts'
import classes from './runs.module.css'
import { unknownWords } from './unknown-words.ts'

/** Beside Unclear in the sidebar: how many outcomes are unknown, and for how long the oldest. */
export function UnknownMark() {
  const { data } = useQuery(runQueries.unknown())
  if (!data || data.count === 0) return null
  const words = unknownWords(data)
  return (
    <span className={classes['menuMark']} title={words}>
      <span aria-hidden>{data.count}</span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}
