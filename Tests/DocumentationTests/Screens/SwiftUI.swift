// The part of SwiftUI that the examples use, so that they compile on Linux. The declarations, including their isolation, are
// Apple's. They do nothing.
import Foundation
import Observation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("A primitive view has no body") }
}

/// A view that consists of no other views.
@MainActor @preconcurrency public protocol PrimitiveView: View {}

extension PrimitiveView {
    public var body: Never { fatalError("A primitive view has no body") }
}

extension Optional: View, PrimitiveView where Wrapped: View {}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<True: View, False: View>(first: True) -> _ConditionalContent<True, False> {
        _ConditionalContent()
    }
    public static func buildEither<True: View, False: View>(second: False) -> _ConditionalContent<True, False> {
        _ConditionalContent()
    }
}

public struct TupleView<Content>: PrimitiveView {}

public struct _ConditionalContent<True: View, False: View>: PrimitiveView {}

public struct Text: PrimitiveView {
    public init(_ text: String) {}
}

public struct TextField: PrimitiveView {
    public init(_ title: String, text: Binding<String>) {}
}

public struct SecureField: PrimitiveView {
    public init(_ title: String, text: Binding<String>) {}
}

public struct ProgressView: PrimitiveView {
    public init() {}
}

public struct Button: PrimitiveView {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct Form<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct List<Row: View>: PrimitiveView {
    public init<Element, ID: Hashable>(
        _ data: [Element],
        id: KeyPath<Element, ID>,
        @ViewBuilder rowContent: @escaping (Element) -> Row
    ) {}
}

public struct NavigationStack<Root: View>: PrimitiveView {
    public init(@ViewBuilder root: () -> Root) {}
}

@propertyWrapper public struct State<Value> {
    let value: Value
    public init(wrappedValue: Value) { value = wrappedValue }
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding() }
}

@dynamicMemberLookup public struct Binding<Value> {
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>()
    }
}

extension View {
    public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
    public func navigationTitle(_ title: String) -> some View { self }
    public func navigationDestination<Data: Hashable, Content: View>(
        item: Binding<Data?>,
        @ViewBuilder destination: @escaping (Data) -> Content
    ) -> some View { self }
    public func disabled(_ disabled: Bool) -> some View { self }
    public func onChange<Value: Equatable>(of value: Value, _ action: @escaping () -> Void) -> some View { self }
    public func alert<Actions: View>(
        _ title: String,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> Actions
    ) -> some View { self }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}
