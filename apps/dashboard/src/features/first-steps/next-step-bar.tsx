import { Button, Group, Paper, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { doneSteps, stepNames, useFirstSteps } from './first-steps-queries.ts'
import classes from './next-step-bar.module.css'

/** On the screens of a new product: what comes next, so that nobody has to find the way back. */
export function NextStepBar() {
  const can = useCan()
  const { data } = useFirstSteps()
  if (!data?.is_new || !data.api) return null
  const done = doneSteps(data)
  const next = stepNames.find((name) => !done[name])
  if (!next) return null
  const count = stepNames.filter((name) => done[name]).length
  const isEndpoint = next === 'endpoint' && can('endpoint.create')
  return (
    <Paper component="aside" aria-label="First steps" className={classes['bar'] ?? ''}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          <b>First steps:</b> {count} of {stepNames.length} done.
        </Text>
        <Button
          component={Link}
          to={isEndpoint ? `${paths.endpointCreate}?api=${data.api.id}` : paths.home}
          size="compact-sm"
          variant="light"
          rightSection={<IconArrowRight size={16} />}
        >
          {isEndpoint ? 'Next: add an endpoint' : 'Next step'}
        </Button>
      </Group>
    </Paper>
  )
}
