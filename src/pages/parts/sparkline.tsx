/** The size of the SVG, in its own units. */
const [width, height] = [120, 32]

/** A small line chart of numbers, oldest first. Screen readers get the text beside it. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const greatest = Math.max(1, ...values)
  const points = values.map((value, index) => {
    const x = (index * width) / Math.max(1, values.length - 1)
    return `${x.toFixed(1)},${(height - 1 - (value * (height - 2)) / greatest).toFixed(1)}`
  })
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} />
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </svg>
  )
}
