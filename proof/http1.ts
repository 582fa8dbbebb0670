import { probeDashboard, probeGateway, probeUpstreams } from './http1/suites.ts'

// HTTP/1.1 over real sockets, by cases of our own made from RFC 9110 and RFC 9112: what clients send to the gateway
// and to the dashboard's port, and what upstreams answer. The gate runs the same (proof/http1/http1.test.ts).
for (const run of [probeGateway, probeDashboard, probeUpstreams]) {
  const { title, cases, failures, left } = await run()
  console.log(`${title}: ${cases - failures.length} of ${cases}`)
  for (const { name, problem, rule } of failures)
    console.log(`  ${name}: ${problem}. ${left.get(name) ?? ''}\n    ${rule}`)
  if (failures.some(({ name }) => !left.has(name))) process.exitCode = 1
}
process.exit()
