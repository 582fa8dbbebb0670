import { Alert, Anchor, Badge, Box, Group, Paper, Text, Title } from '@mantine/core'
import type { LaneRecord } from '@gatehouse/contract'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { ageWords } from '../../lib/format/age-words.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { Figures } from '../../ui/chart/figures.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { limitWords } from './lane-limits.ts'
import classes from './lane-card.module.css'
import { laneSentences, laneStateColors, laneStateWords } from './lanes-messages.ts'

interface LaneCardProps {
  lane: LaneRecord
  /** Buttons of those who may operate it. */
  children: ReactNode
}

/** One lane: what is in it, how fast it goes, and what it waits for. */
export function LaneCard({ lane, children }: LaneCardProps) {
  const titleId = `lane-${lane.id}`
  return (
    <Paper
      component="section"
      className={classes['card'] ?? ''}
      data-state={lane.state}
      aria-labelledby={titleId}
    >
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className={classes['heading']}>
          <Group gap="xs">
            <Title order={3} id={titleId} className={classes['name'] ?? ''}>
              {lane.name}
            </Title>
            <Badge
              color={laneStateColors[lane.state]}
              variant={lane.state === 'outage' ? 'filled' : 'light'}
              miw="max-content"
            >
              {laneStateWords[lane.state]}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed" className={classes['name'] ?? ''}>
            {lane.workflows.length === 0
              ? 'No workflow uses it.'
              : lane.workflows.map(({ id, name }, at) => (
                  <Fragment key={id}>
                    {at > 0 && ', '}
                    <Anchor component={Link} to={paths.workflow(id)} inherit underline="always">
                      {name}
                    </Anchor>
                  </Fragment>
                ))}
          </Text>
        </div>
        {children}
      </Group>
      <WhatItWaitsFor lane={lane} />
      <Box my="sm">
        <Figures
          figures={[
            { name: 'Waiting', value: lane.depth.toLocaleString('en') },
            {
              name: 'Oldest',
              value: lane.oldest_at === null ? '–' : ageWords(lane.oldest_at),
              title: lane.oldest_at ?? undefined,
            },
            { name: 'Under way', value: `${lane.running} of ${lane.concurrency}` },
            { name: 'Ended in a minute', value: lane.rate_per_minute.toLocaleString('en') },
          ]}
        />
      </Box>
      <Text size="xs" c="dimmed">
        {limitWords(lane)}
      </Text>
    </Paper>
  )
}

/** Why nothing moves, where nothing does; else one sentence. */
function WhatItWaitsFor({ lane }: { lane: LaneRecord }) {
  const { state, paused, outage_since, waiting_for, next_try_at } = lane
  const sentence = laneSentences[state]
  const next = next_try_at !== null && (
    <>
      {' '}
      Next try: <Moment at={next_try_at} isRelative />.
    </>
  )
  if (paused !== null) {
    return (
      <Alert color="orange" role="note" mt="sm" title={sentence}>
        <Text size="sm" className={classes['name'] ?? ''}>
          {paused.by === null ? 'Paused by itself' : `Paused by ${paused.by}`},{' '}
          <Moment at={paused.at} isRelative />: {serverWords(paused.reason)}
        </Text>
      </Alert>
    )
  }
  if (state === 'outage') {
    return (
      <Alert color="red" role="note" mt="sm" title={sentence}>
        <Text size="sm" className={classes['name'] ?? ''}>
          {outage_since !== null && (
            <>
              Since <Moment at={outage_since} />.{' '}
            </>
          )}
          {waiting_for}
          {next}
        </Text>
      </Alert>
    )
  }
  return (
    <Text size="sm" mt="sm" className={classes['name'] ?? ''}>
      {waiting_for ?? sentence}
      {next}
    </Text>
  )
}
