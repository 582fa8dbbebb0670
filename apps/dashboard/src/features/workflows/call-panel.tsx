import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { workflowCallExamples } from '@gatehouse/contract/call-examples'
import { WorkflowAccess } from '../../entities/access/workflow-access.tsx'
import { useTokenOwner } from '../../entities/access/workflow-holders.ts'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import type { Workflow } from './read-workflow.ts'
import classes from './workflow-page.module.css'

/** Calls that work as copied, once the environment holds a personal token. */
export function CallPanel({ workflow }: { workflow: Workflow }) {
  const can = useCan()
  const owner = useTokenOwner(workflow.id)
  const examples = useMemo(
    () => workflowCallExamples(window.location.origin, workflow.slug, workflow.sampleText),
    [workflow.slug, workflow.sampleText],
  )
  const [language, setLanguage] = useState<string>('curl')
  const example = examples.find((one) => one.language === language)
  if (!example) return null
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Put a personal token of a user whose role has access to this workflow into{' '}
        <code>GATEHOUSE_TOKEN</code>.{' '}
        {can('token.view') && (
          <Anchor component={Link} to={paths.personalTokenFor(owner)} inherit underline="always">
            Get a token
          </Anchor>
        )}
      </Text>
      <WorkflowAccess id={workflow.id} />
      <div className={classes['codeBar']}>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={examples.map((one) => one.language)}
          value={example.language}
          onChange={setLanguage}
        />
        <CopyButton text={example.code} label="Copy" description={`the ${example.language} call`} />
      </div>
      {/* Scrolls, so it has to be reachable for those without a mouse. */}
      <pre
        className={classes['code']}
        dir="ltr"
        aria-label={`Call in ${example.language}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrollable region
        tabIndex={0}
      >
        {example.code}
      </pre>
    </Stack>
  )
}
