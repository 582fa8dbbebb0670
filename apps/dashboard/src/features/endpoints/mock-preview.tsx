import { Code, Text } from '@mantine/core'
import { exampleOfSchema } from '@gatehouse/contract/schema-example'
import { useMemo } from 'react'

/** What the gateway answers while the endpoint is mocked. */
export function MockPreview({ schema }: { schema: string }) {
  const example = useMemo(() => exampleOfSchema(schema), [schema])
  return example === undefined ? (
    <Text size="sm" c="dimmed">
      The example is shown here once there is a schema of answers.
    </Text>
  ) : (
    <Code block dir="ltr" mah={320} style={{ overflow: 'auto' }}>
      {example}
    </Code>
  )
}
