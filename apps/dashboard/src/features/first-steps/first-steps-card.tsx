import { Badge, CloseButton, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { FirstSteps } from '@gatehouse/contract'
import { AccessStep } from './access-step.tsx'
import { ApiStep, EndpointStep } from './api-steps.tsx'
import { CallStep } from './call-step.tsx'
import { doneSteps, stepNames, useFirstSteps, type StepName } from './first-steps-queries.ts'
import { noteStepsOver } from './first-steps-shown.ts'
import classes from './first-steps.module.css'
import { TokenStep } from './token-step.tsx'
import { language } from '../../lib/format/language.ts'

interface FirstStepsCardProps {
  onClose: () => void
  /** Shown under it. */
  beside: ReactNode
  /** Shown instead where the product is in use, or where that is not known. */
  children: ReactNode
}

/** The way from an empty product to the first call, ticked from what exists. It can be closed. */
export function FirstStepsCard({ onClose, beside, children }: FirstStepsCardProps) {
  const { data, isError } = useFirstSteps()
  const [wasNew, setWasNew] = useState(false)
  // Once shown it stays until the page is left: the last step makes the product one that is in use.
  if (data?.is_new && !wasNew) setWasNew(true)
  if (isError) return children
  if (!data) return null
  if (!data.is_new && !wasNew) return children
  return (
    <Stack gap="md">
      <Steps
        steps={data}
        onClose={() => {
          noteStepsOver()
          onClose()
        }}
      />
      {beside}
    </Stack>
  )
}

function Steps({ steps, onClose }: { steps: FirstSteps; onClose: () => void }) {
  const [token, setToken] = useState('')
  const [isTokenNew, setIsTokenNew] = useState(false)
  // The figures of the gateway come some seconds later.
  const [isCalled, setIsCalled] = useState(false)
  const done = { ...doneSteps(steps), ...(isCalled ? { call: true } : {}) }
  const count = stepNames.filter((name) => done[name]).length
  const next = stepNames.find((name) => !done[name])
  const { endpoint } = steps
  // A new token, and the answer of the first call, are there to be read and copied.
  const stays: Partial<Record<StepName, boolean>> = { token: isTokenNew, call: isCalled }
  const contents: Record<StepName, ReactNode> = {
    api: <ApiStep sample={steps.sample} />,
    endpoint: <EndpointStep apiId={steps.api?.id} />,
    access: endpoint && <AccessStep endpoint={endpoint} role={steps.client_role} />,
    token: (
      <TokenStep
        onToken={(made) => {
          setToken(made)
          setIsTokenNew(true)
        }}
      />
    ),
    call: endpoint && (
      <CallStep
        endpoint={endpoint}
        token={token}
        onToken={setToken}
        onSuccess={() => setIsCalled(true)}
      />
    ),
  }
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="first-steps">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs">
          <Title order={3} size="h4" id="first-steps">
            First steps
          </Title>
          <Badge color={count === stepNames.length ? 'green' : 'gray'} miw="max-content">
            {count} of {stepNames.length} done
          </Badge>
        </Group>
        <CloseButton onClick={onClose} aria-label="Close the first steps" />
      </Group>
      <Text size="sm" c="dimmed">
        From here to the first call through the gateway.
      </Text>
      <ol className={classes['steps']}>
        {stepNames.map((name, at) => (
          <Step
            key={name}
            number={at + 1}
            title={titles[name]}
            note={noteOf(name, steps)}
            isDone={done[name]}
            isNext={name === next}
          >
            {(name === next || stays[name]) && contents[name]}
          </Step>
        ))}
      </ol>
    </Paper>
  )
}

const titles: Record<StepName, string> = {
  api: 'Register an API',
  endpoint: 'Add an endpoint',
  access: 'Give access',
  token: 'Generate a token',
  call: 'Make the first call through the gateway',
}

function noteOf(name: StepName, { api, endpoint, callers }: FirstSteps): string {
  const isOpen = endpoint?.is_guarded === false
  const notes: Record<StepName, string> = {
    api: api?.name ?? 'An upstream whose calls the gateway carries.',
    endpoint: endpoint
      ? `${endpoint.method_type.toUpperCase()} ${endpoint.path}`
      : 'A method and a path of the API that clients may call.',
    access: isOpen
      ? 'This endpoint asks for no token.'
      : callers.length > 0
        ? new Intl.ListFormat(language).format(callers.slice(0, 3).map((role) => role.name))
        : 'Roles decide who may call which endpoint.',
    token: isOpen ? 'This endpoint asks for no token.' : 'Clients show it with each call.',
    call: 'As a client would make it.',
  }
  return notes[name]
}

interface StepProps {
  number: number
  title: string
  note: string
  isDone: boolean
  isNext: boolean
  children: ReactNode
}

function Step({ number, title, note, isDone, isNext, children }: StepProps) {
  return (
    <li className={classes['step']} aria-current={isNext ? 'step' : undefined}>
      <span
        className={classes['mark']}
        data-done={isDone || undefined}
        data-next={isNext || undefined}
      >
        {isDone ? <IconCheck size={16} aria-hidden /> : number}
        {isDone && <VisuallyHidden>Done</VisuallyHidden>}
      </span>
      <div className={classes['content']}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          <bdi>{note}</bdi>
        </Text>
        {children}
      </div>
    </li>
  )
}
