import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { BundlePreview, PreviewStep } from '@gatehouse/contract'
import { prettyJson } from '../../lib/format/pretty-json.ts'
import { Facts } from '../../ui/text/facts.tsx'
import { JsonPane } from '../../ui/json/json-pane.tsx'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { TestBadge } from '../../entities/run/run-badges.tsx'
import { RunLink } from '../../entities/run/run-link.tsx'
import { PreviewMarks } from './preview-marks.tsx'
import classes from './tax.module.css'

interface PreviewPanelProps {
  preview: BundlePreview
  /** The form has been edited since. */
  isStale: boolean
  onClose: () => void
}

/** What each step would send, as far as it can be known before anything has answered. */
export function PreviewPanel({ preview, isStale, onClose }: PreviewPanelProps) {
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="preview-title">
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Title order={3} id="preview-title">
            Preview
          </Title>
          {preview.is_test && <TestBadge />}
        </Group>
        <Button variant="subtle" size="compact-sm" onClick={onClose}>
          Close preview
        </Button>
      </Group>
      <Text size="sm" c="dimmed" aria-live="polite">
        {isStale
          ? 'The form has been changed since. Press Preview again.'
          : 'Nothing has been sent. This is what Send Request would send.'}
        {preview.is_dry_run && ' Without a test base URL this is a dry run: only reads go out.'}
      </Text>
      <Stack gap="lg" mt="md" style={isStale ? { opacity: 0.6 } : {}}>
        {preview.steps.map((step) => (
          <StepPreview key={step.position} step={step} />
        ))}
      </Stack>
    </Paper>
  )
}

function StepPreview({ step }: { step: PreviewStep }) {
  const headers = Object.entries(step.headers)
  const headingId = `preview-${step.position}`
  return (
    <section aria-labelledby={headingId}>
      <Group gap="xs" mb={6}>
        <Text component="h4" m={0} size="sm" fw={600} id={headingId}>
          Step {step.position}
        </Text>
        <MethodBadge method={step.method.toLowerCase()} />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {step.endpoint_name}
        </Text>
        {!step.is_sent && <Badge color="gray">Would be sent</Badge>}
      </Group>
      <Stack gap="sm">
        <Facts
          facts={[
            ['URL', step.url ?? 'Known once the earlier steps have answered'],
            ...(headers.length === 0 ? [] : [['Headers', headerLines(headers)] as const]),
            ...(step.takes.length === 0
              ? []
              : [['Takes', `${step.takes.join(', ')} from earlier answers`] as const]),
            ['Compared with', <LastAccepted key="last" step={step} />],
          ]}
        />
        {step.body !== null && step.body !== '' && (
          <JsonPane
            label={`Body of step ${step.position}`}
            value={prettyJson(step.body)}
            minHeight={48}
            maxHeight="30vh"
            title={
              <Text size="sm" c="dimmed">
                {step.takes.length === 0 ? 'Body' : 'Body, before the values are filled in'}
              </Text>
            }
          />
        )}
        <PreviewMarks marks={step.marks} />
      </Stack>
    </section>
  )
}

const headerLines = (headers: [string, string][]) =>
  headers.map(([name, value]) => (
    <div key={name}>
      {name}: {value}
    </div>
  ))

function LastAccepted({ step }: { step: PreviewStep }) {
  if (!step.last_accepted) return 'Nothing: no request of this endpoint has been accepted yet'
  const { run_id, at } = step.last_accepted
  return (
    <>
      <RunLink id={run_id} />, accepted <Moment at={at} />
    </>
  )
}
