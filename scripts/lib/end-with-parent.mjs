// Loaded first into every Node process that the launcher starts (`--import`). The two share a channel,
// which the kernel closes when the launcher ends for any reason. Then this process ends too. Without
// it a launcher that gets a SIGKILL would leave a server or an `npm ci` running.

// For this process only: its forks have other channels, which must keep them running.
const inherited = process.execArgv.indexOf('--import')
if (inherited >= 0) process.execArgv.splice(inherited, 2)

if (process.channel) {
  process.once('disconnect', () => {
    try {
      // With everything it started: the launcher gave it its own group.
      process.kill(-process.pid, 'SIGTERM')
    } catch {
      // No groups on Windows.
      process.kill(process.pid, 'SIGTERM')
    }
  })
  process.channel.unref()
}
