import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './login-page.module.css'

/** A page for those who are not signed in. */
export function LoginFrame({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400} className={classes['card'] ?? ''}>
        <Stack gap={4} mb="lg" align="center">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <Title order={1} size="h2" mt="xs">
            Gatehouse
          </Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </Stack>
        {children}
      </Paper>
    </Center>
  )
}
