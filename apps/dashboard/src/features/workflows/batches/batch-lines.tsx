import { Select, Text, Title } from '@mantine/core'
import type { BatchLine, BatchRecord } from '@gatehouse/contract'
import { RunBadge } from '../../../entities/run/run-badges.tsx'
import { RunLink } from '../../../entities/run/run-link.tsx'
import { outcomeWords, runStateWords } from '../../../entities/run/run-words.ts'
import { serverWords } from '../../../lib/calls/server-words.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { RecordList } from '../../../ui/table/record-list.tsx'
import { countedStates } from './batch-progress.tsx'
import { batchQueries } from './batch-queries.ts'
import { isMoving } from './batch-words.ts'
import { useLineState, type LineState } from './use-line-state.ts'

/** The rows of a batch with what became of each; those that failed unless others are asked for. */
export function BatchLines({ batch }: { batch: BatchRecord }) {
  const { state, setState } = useLineState()
  const place = { slug: batch.workflow.slug, id: batch.id }
  const asked = state === 'all' ? '' : state
  return (
    <section aria-labelledby="rows">
      <Title order={3} id="rows" mb="sm">
        Rows
      </Title>
      <RecordList
        id="batch-lines"
        caption="Rows"
        list={(query) => batchQueries.lines(place, { ...query, state: asked }, isMoving(batch))}
        columns={columns}
        searchLabel="Search by reference"
        filters={{
          fields: (
            <Select
              aria-label="Which rows"
              data={choicesOf(batch, state)}
              value={state}
              allowDeselect={false}
              onChange={(next) => setState((next ?? 'failed') as LineState)}
              w={{ base: '100%', xs: 220 }}
            />
          ),
          areSet: state !== 'failed' && state !== 'all',
        }}
        empty={
          state === 'all'
            ? { title: 'No rows' }
            : { title: 'No row has failed', hint: 'Choose “All rows” to see the others.' }
        }
      />
    </section>
  )
}

/** The states that there are, and the one that was asked for. */
function choicesOf({ counts }: BatchRecord, chosen: LineState) {
  const states = countedStates(counts).map(([state]) => state)
  const others = chosen === 'all' || chosen === 'failed' || states.includes(chosen) ? [] : [chosen]
  return [
    { value: 'failed', label: 'Rows that failed' },
    { value: 'all', label: 'All rows' },
    ...[...states, ...others].map((value) => ({ value, label: runStateWords[value] })),
  ]
}

type Line = BatchLine & { id: number }

const columns: Column<Line, 'line'>[] = [
  {
    head: 'Row',
    sort: 'line',
    width: '5rem',
    isFigure: true,
    cell: ({ line }) => line.toLocaleString('en'),
  },
  {
    head: 'Reference',
    width: '18%',
    cell: ({ reference }) => (
      <Text size="sm" {...(reference === null ? { c: 'dimmed' } : {})} lineClamp={2}>
        {reference ?? <>none</>}
      </Text>
    ),
  },
  { head: 'State', width: '9.5rem', cell: ({ state }) => <RunBadge state={state} /> },
  { head: 'What happened', cell: (line) => <WhatHappened line={line} /> },
  { head: 'Run', width: '6.5rem', cell: ({ run_id }) => <RunLink id={run_id} /> },
  {
    head: 'Ended',
    width: '12rem',
    cell: ({ finished_at }) =>
      finished_at === null ? '–' : <Moment at={finished_at} isRelative />,
  },
]

/** The words of the run; where it has none, what the endpoint answered. */
function WhatHappened({ line: { message, outcome, status } }: { line: BatchLine }) {
  const answered = status === null ? '' : ` (${status})`
  const seen = outcome === null || outcome === 'ok' ? '–' : `${outcomeWords[outcome]}${answered}`
  const words = message === null ? seen : serverWords(message)
  return (
    <Text size="sm" lineClamp={3} title={words}>
      {words}
    </Text>
  )
}
