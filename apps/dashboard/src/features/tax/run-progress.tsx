import { Loader, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
  IconHandStop,
  IconHourglassHigh,
} from '@tabler/icons-react'
import type { RunSummary, StepState } from '@gatehouse/contract'
import { durationWords } from '../../lib/format/age-words.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { StepBadge } from '../../entities/run/run-badges.tsx'
import classes from './tax.module.css'

/** A run step by step, as it goes on. */
export function RunProgress({ run }: { run: RunSummary }) {
  return (
    <ol className={classes['steps']} aria-label={`Steps of run ${run.id}`}>
      {run.steps.map((step) => (
        <li key={step.position} className={classes['step']} data-state={step.state}>
          <span className={classes['mark']} aria-hidden>
            <StepMark state={step.state} />
          </span>
          <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
            {step.position}. <MethodBadge method={step.method.toLowerCase()} /> {step.endpoint_name}
          </Text>
          <StepBadge state={step.state} />
          <StepNote step={step} />
        </li>
      ))}
    </ol>
  )
}

function StepNote({ step }: { step: RunSummary['steps'][number] }) {
  const facts = [
    step.status !== null && `status ${step.status}`,
    step.duration_ms !== null && durationWords(step.duration_ms),
    step.message !== null && serverWords(step.message),
  ].filter(Boolean)
  return facts.length > 0 && <span className={classes['note']}>{facts.join(' · ')}</span>
}

function StepMark({ state }: { state: StepState }) {
  switch (state) {
    case 'sending':
      return <Loader size={18} />
    case 'succeeded':
      return <IconCircleCheck size={20} color="var(--mantine-color-green-7)" />
    case 'rejected':
      return <IconCircleX size={20} color="var(--mantine-color-red-7)" />
    case 'partial':
      return <IconCircleHalf2 size={20} color="var(--mantine-color-orange-7)" />
    case 'pending':
      return <IconHourglassHigh size={20} color="var(--mantine-color-cyan-7)" />
    case 'blocked':
      return <IconHandStop size={20} color="var(--mantine-color-orange-7)" />
    case 'unknown':
      return <IconAlertTriangle size={20} color="var(--mantine-color-yellow-8)" />
    case 'waiting':
    case 'skipped':
    case 'would_send':
    default:
      return <IconCircleDashed size={20} color="var(--mantine-color-dimmed)" />
  }
}
