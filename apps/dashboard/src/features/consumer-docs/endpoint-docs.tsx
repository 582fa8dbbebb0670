import { Badge, Group, Paper, Text, Title } from '@mantine/core'
import type { EndpointParameter, ServedEndpoint } from '@gatehouse/contract'
import { useMemo } from 'react'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { ParametersTable } from '../../entities/endpoint/parameters-table.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { callSample, type SampleLanguage } from './call-samples.ts'
import classes from './consumer-docs.module.css'

interface EndpointDocsProps {
  endpoint: ServedEndpoint
  /** Its API takes signed calls in place of the token. */
  isSigned: boolean
  language: SampleLanguage
}

/** One endpoint: address, parameters, and a call to copy. */
export function EndpointDocs({ endpoint, isSigned, language }: EndpointDocsProps) {
  const { method_type, url, summery, description, requires_token } = endpoint
  const sample = useMemo(
    () => callSample(endpoint, language, isSigned),
    [endpoint, language, isSigned],
  )
  const parameters = useMemo(() => withPath(endpoint), [endpoint])
  return (
    <Paper component="article" className={`${classes['card']} ${classes['endpoint']}`}>
      <Title order={4} fz="md">
        {summery}
      </Title>
      <Group gap="xs" mt={4} wrap="nowrap" align="flex-start">
        <MethodBadge method={method_type} />
        <code className={classes['url']} dir="ltr">
          {url}
        </code>
        {requires_token && <Badge color="gray">{isSigned ? 'signed' : 'token'}</Badge>}
      </Group>
      {description !== '' && description !== summery && (
        <Text size="sm" mt="xs" className={classes['words'] ?? ''}>
          {description}
        </Text>
      )}
      {parameters.length > 0 && (
        <div className={classes['part']}>
          <ParametersTable parameters={parameters} label={`Parameters of ${summery}`} />
        </div>
      )}
      <div className={classes['sample']}>
        {/* Scrolls, so it has to be reachable for those without a mouse. */}
        <pre
          className={classes['code']}
          dir="ltr"
          aria-label={`${summery} in ${language}`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrollable region
          tabIndex={0}
        >
          {sample}
        </pre>
        <div className={classes['copy']}>
          <CopyButton text={sample} label="Copy" description={`${summery} in ${language}`} />
        </div>
      </div>
    </Paper>
  )
}

/** With the parameters of the path that nothing else is known of. */
function withPath({ path, parameters }: ServedEndpoint): EndpointParameter[] {
  const known = new Set(parameters.flatMap((each) => (each.in === 'path' ? [each.name] : [])))
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return [
    ...names
      .filter((name) => !known.has(name))
      .map((name) => ({
        name,
        in: 'path' as const,
        is_required: true,
        type: '',
        description: '',
      })),
    ...parameters,
  ]
}
