// A small line that shows how a series developed, with the figures beside it. Drawn without a chart library.

export function Spark({
  values,
  width = 96,
  height = 24,
}: {
  readonly values: readonly string[]
  readonly width?: number
  readonly height?: number
}) {
  const points = values.map(Number.parseFloat).filter(Number.isFinite)
  if (points.length < 2) return <svg width={width} height={height} aria-hidden="true" />
  const low = Math.min(...points)
  const span = Math.max(...points) - low || 1
  const x = (i: number) => 1 + (i * (width - 5)) / (points.length - 1)
  const y = (value: number) => height - 3 - ((value - low) * (height - 6)) / span
  const line = points.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  return (
    <svg width={width} height={height} aria-hidden="true" focusable="false">
      <path d={line} fill="none" stroke="var(--text-soft)" strokeWidth="1.2" strokeLinejoin="round" />
      <circle cx={x(points.length - 1)} cy={y(points.at(-1)!)} r="1.8" fill="var(--accent)" />
    </svg>
  )
}
