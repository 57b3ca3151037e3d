extension LockedValue {
    package func append<Element>(_ element: Element) where Value == [Element] { change { $0.append(element) } }
}
